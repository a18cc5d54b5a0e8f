const longestBody = 1024 * 1024

/** Reads a body's text, up to a MiB of it. */
export async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > longestBody) break
  }
  return Buffer.concat(chunks).subarray(0, longestBody).toString('utf8')
}
