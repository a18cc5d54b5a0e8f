import { describe, expect, it } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createPublicUrl } from '#testbed/process/public-url.ts'

describe('public addresses', () => {
  it('are those of this machine unless others are given', () => {
    expect(createPublicUrl('127.0.0.1', undefined)(4007)).toBe('http://127.0.0.1:4007')
    expect(createPublicUrl('0.0.0.0', undefined)(4007)).toBe('http://127.0.0.1:4007')
    expect(createPublicUrl('::', undefined)(4007)).toBe('http://[::1]:4007')
    expect(createPublicUrl('192.168.1.20', undefined)(4007)).toBe('http://192.168.1.20:4007')
  })

  it('have the scheme and host that were given, and the port of each service', () => {
    const publicUrl = createPublicUrl('0.0.0.0', 'https://demo.example')
    expect(publicUrl(4007)).toBe('https://demo.example:4007')
    expect(createPublicUrl('0.0.0.0', 'http://10.0.0.5:9/')(4009)).toBe('http://10.0.0.5:4009')
  })

  it.each(['demo.example', 'ftp://x', 'http://x/path', 'http://x?y', 'http://me:secret@x', ''])(
    'are never made from %j',
    (given) => {
      let thrown: unknown
      try {
        createPublicUrl('0.0.0.0', given)
      } catch (error) {
        thrown = error
      }
      expect(isTestbedError(thrown) && thrown.code).toBe('invalid_option')
    },
  )
})
