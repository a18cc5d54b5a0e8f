import type { IncomingMessage } from 'node:http'

/** The value of a cookie; undefined if the browser did not send it. */
export function readCookie(
  { headers }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  const cookies = (headers.cookie ?? '').split(/; */)
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
}
