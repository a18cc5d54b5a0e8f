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
