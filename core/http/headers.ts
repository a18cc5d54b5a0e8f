/** Returns the headers with lower-case names, so that no header is sent twice (RFC 9110, 5.1). */
export function headerNamesInLowerCase(
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** Converts the headers of a response in Node's form, in which a repeated header is a list. */
export function receivedHeaders(
  received: Readonly<Record<string, string | string[] | undefined>>,
): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value)
  }
  return headers
}
