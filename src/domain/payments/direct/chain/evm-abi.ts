import * as AbiEvent from "ox/AbiEvent";
import * as AbiFunction from "ox/AbiFunction";

/** The functions of the token that are called: ERC-20, EIP-3009, and the two ways of reading an EIP-712 domain. */
export const TOKEN = {
  name: AbiFunction.from("function name() view returns (string)"),
  version: AbiFunction.from("function version() view returns (string)"),
  decimals: AbiFunction.from("function decimals() view returns (uint8)"),
  domainSeparator: AbiFunction.from("function DOMAIN_SEPARATOR() view returns (bytes32)"),
  eip712Domain: AbiFunction.from(
    "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  ),
  authorizationState: AbiFunction.from(
    "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  ),
};

/** Its events that are read. */
export const EVENTS = {
  used: AbiEvent.from("event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)"),
  canceled: AbiEvent.from("event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)"),
  transfer: AbiEvent.from("event Transfer(address indexed from, address indexed to, uint256 value)"),
};

/** The first topic of each event, by which logs tell what they are. */
export const TOPICS = {
  used: AbiEvent.getSelector(EVENTS.used),
  canceled: AbiEvent.getSelector(EVENTS.canceled),
  transfer: AbiEvent.getSelector(EVENTS.transfer),
};
