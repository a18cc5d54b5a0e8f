import type { Readable } from 'node:stream'

const longestOutput = 1024 * 1024

/** What a program writes, as far as it is kept. */
export interface KeptOutput {
  /** All since it was last called: its first MiB, and how much more there was. */
  take(): string
}

/** Reads everything that streams hold, so that whoever writes never waits, and keeps the beginning. */
export function keepOutput(...streams: readonly (Readable | null)[]): KeptOutput {
  let chunks: Buffer[] = []
  let length = 0
  for (const stream of streams) {
    stream?.on('data', (chunk: Buffer) => {
      const room = longestOutput - length
      if (room > 0) chunks.push(chunk.subarray(0, room))
      length += chunk.length
    })
  }
  return {
    take() {
      const text = Buffer.concat(chunks).toString('utf8')
      const more = length - longestOutput
      chunks = []
      length = 0
      return more > 0 ? `${text}\n… and ${more} bytes more` : text
    },
  }
}
