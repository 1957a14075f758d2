/**
 * Words that are often used as passwords, so guessers try them first, with years, digits and signs added. In lower case.
 * Words shorter than a password are listed too, since what is added to them is often a plain sequence.
 */
export const COMMON_WORDS: readonly string[] = `
  password passwort passwd passphrase motdepasse contrasena senha wachtwoord parola haslo geheim secret secreto secure
  security login signin account access admin administrator root superuser user username guest test testing tester
  default changeme change letmein openup opensesame welcome willkommen bienvenue hello hallo goodbye master
  qwerty qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc 1q2w3e 1q2w3e4r 1qaz2wsx abc abcd
  abcdef abc123 123 1234 12345 123456 a1b2c3 aaaaaa 111111 000000 121212 112233 123123 987654321
  iloveyou iloveu loveyou lovely love lover sweetheart darling honey baby babygirl princess prince angel angels
  sunshine moonlight starlight rainbow butterfly flower summer winter spring autumn monday friday january february
  march april june july august september october november december
  dragon monkey tiger lion eagle panda shadow wizard phoenix unicorn dolphin kitten puppy doggy
  football baseball basketball soccer hockey cricket rugby liverpool chelsea arsenal barcelona juventus
  superman batman spiderman ironman starwars pokemon pikachu minecraft fortnite naruto matrix hunter ranger killer
  computer internet google facebook twitter amazon microsoft windows android samsung iphone apple linux server
  database system network website chocolate cookie coffee banana cheese orange pepper ginger
  jesus christ heaven freedom trustno trustnoone whatever nothing something blahblah nopassword mypassword
  yourpassword thepassword mysecret newpassword oldpassword correcthorsebatterystaple
  michael jordan jennifer jessica ashley daniel thomas charlie george andrew robert matthew joshua anthony
  michelle nicole samantha alexander maggie buster bailey
`
  .trim()
  .split(/\s+/);
