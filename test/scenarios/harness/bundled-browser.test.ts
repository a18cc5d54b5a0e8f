import { describe, expect, it } from 'vitest'
import { readTar } from '#scenarios/harness/bundled-browser.ts'

/** One ustar entry: POSIX.1-1988, header of 512 bytes, body padded to the next 512. */
function entry(path: string, { type = '0', body = '', prefix = '' } = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('0000644\0', 100)
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  const padded = Buffer.alloc(Math.ceil(body.length / 512) * 512)
  padded.write(body)
  return Buffer.concat([header, padded])
}

const end = Buffer.alloc(1024)

describe('readTar', () => {
  it('gives files with their modes, and leaves folders and links out', () => {
    const archive = Buffer.concat([
      entry('fonts/', { type: '5' }),
      entry('fonts/a.ttf', { body: 'x'.repeat(513) }),
      entry('b.ttf', { body: 'y', prefix: 'long/path' }),
      entry('link', { type: '2' }),
      end,
    ])
    const files = readTar(archive)
    expect(files.map(({ path, mode, body }) => [path, mode, body.length])).toEqual([
      ['fonts/a.ttf', 0o644, 513],
      ['long/path/b.ttf', 0o644, 1],
    ])
  })

  it.each(['/etc/passwd', '../outside', 'fonts/../../outside'])('refuses %s', (path) => {
    expect(() => readTar(Buffer.concat([entry(path), end]))).toThrow(TypeError)
  })
})
