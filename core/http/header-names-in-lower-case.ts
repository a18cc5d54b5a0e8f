/** The headers under names in lower case, so that one given twice is not sent twice (RFC 9110, 5.1). */
export function headerNamesInLowerCase(
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
