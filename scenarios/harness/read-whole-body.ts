/** What no answer of a system is as long as; one that never ends would fill the memory. */
const mostBytes = 16 * 1024 * 1024

/**
 * The bytes of a body, empty where there is none.
 * @throws Error where it breaks off, or is longer than 16 MiB; then the rest is not read
 */
export async function readWholeBody(
  body: AsyncIterable<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new Error(`its body is longer than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
