import { expect, it } from 'vitest'
import { requireLoopback } from '#services/idp/admin/admin-links.ts'

const from = (remoteAddress: string | undefined) => () =>
  requireLoopback({ socket: { remoteAddress } } as Parameters<typeof requireLoopback>[0])

it('links to the admin panel work on the same machine only', () => {
  for (const own of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) {
    expect(from(own)).not.toThrow()
  }
  for (const other of [
    '10.0.0.7',
    '192.168.1.127',
    '::ffff:10.0.0.7',
    '128.0.0.1',
    '',
    undefined,
  ]) {
    expect(from(other)).toThrow(/machine on which the IDP runs/)
  }
})
