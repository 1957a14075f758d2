interface PythonRequest {
  readonly url: string;
  /** The JSON body; null for none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Default: a GET, or a POST where there is a body. */
  readonly method?: string;
  readonly needsKey: boolean;
  /** Whether the answer has a status that urllib raises as an error. */
  readonly isError: boolean;
}

/** A program for Python 3.8 or newer that needs no package. */
export function pythonExample({ url, body, method, needsKey, isError }: PythonRequest): string {
  const modules = [body && "json", needsKey && "os", isError && "urllib.error", "urllib.request"];
  const headers = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['BECKON_API_KEY']}",`] : []),
    ...(body ? [`        "Content-Type": "application/json",`] : []),
  ];
  return [
    ...modules.filter(Boolean).map((name) => `import ${name}`),
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    ...(body ? [`    data=json.dumps(${literal(body)}).encode(),`] : []),
    // urllib takes a GET, or with a body a POST, without being told.
    ...(method === "DELETE" || method === "PATCH" ? [`    method="${method}",`] : []),
    ...(headers.length > 0 ? ["    headers={", ...headers, "    },"] : []),
    ")",
    ...(isError ? PRINT_ERROR : PRINT),
  ].join("\n");
}

const PRINT = [
  "with urllib.request.urlopen(request) as response:",
  "    print(response.status, response.read().decode())",
];

const PRINT_ERROR = [
  "try:",
  "    urllib.request.urlopen(request)",
  "except urllib.error.HTTPError as error:",
  "    print(error.code, error.read().decode())",
];

/** A JSON value as Python writes it. */
function literal(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`);
  return `{${entries.join(", ")}}`;
}
