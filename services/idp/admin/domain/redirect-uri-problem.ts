const longest = 2000
const loopback = /^(127\.0\.0\.1|\[::1\]|localhost)$/

/**
 * What is wrong with an address to which people are sent back; undefined where nothing is. Requests
 * are compared with it character by character (document 1: must match the client configuration), so
 * only one spelling is taken: absolute, without fragment, user or wildcard.
 * @param allowsHttp whether plain http may be used beyond this machine
 * @see RFC 6749, 3.1.2; OAuth 2.0 Security Best Current Practice (RFC 9700), 4.1
 */
export function redirectUriProblem(text: string, allowsHttp: boolean): string | undefined {
  if (text.length > longest) return `it is longer than ${longest} characters`
  if (!/^[!-~]+$/.test(text)) return 'it holds blanks or characters that are not ASCII'
  if (!URL.canParse(text)) return 'it is no absolute address'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is no https address'
  if (url.protocol === 'http:' && !allowsHttp && !loopback.test(url.hostname)) {
    return 'plain http is for addresses of this machine alone'
  }
  if (text.includes('#')) return 'it has a fragment'
  if (text.includes('*')) return 'it has a wildcard, which nothing is compared by'
  if (url.username !== '' || url.password !== '') return 'it names a user'
  if (url.href !== text && url.href !== `${text}/`) return `browsers write it as ${url.href}`
  return undefined
}
