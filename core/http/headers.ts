/** The headers under names in lower case, so that one given twice is not sent twice (RFC 9110, 5.1). */
export function headerNamesInLowerCase(
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** The headers of an answer as Node gives them, where one that came several times is a list. */
export function receivedHeaders(
  received: Readonly<Record<string, string | string[] | undefined>>,
): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value)
  }
  return headers
}
