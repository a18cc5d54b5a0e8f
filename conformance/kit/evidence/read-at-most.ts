const mostBytes = 1024 * 1024

/**
 * The text of a body, its first mebibyte at most: a system under test may send without end. What
 * breaks off is told as far as it came.
 */
export async function readAtMost({ body }: Pick<Response, 'body'>): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < mostBytes) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch (error) {
    chunks.push(new TextEncoder().encode(`(broken off: ${error})`))
  }
  // That of a copy ends when the original does: nobody may wait for it here.
  reader.cancel().catch(() => {})
  return Buffer.concat(chunks).toString('utf8')
}
