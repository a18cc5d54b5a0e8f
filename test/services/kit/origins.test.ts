import { describe, expect, it } from 'vitest'
import { createHostCheck, splitHosts } from '#kit/origins.ts'

const isOwn = createHostCheck(['Portal.example', '192.168.1.20', 'testbed'])

describe('createHostCheck', () => {
  it.each([
    'localhost',
    'LOCALHOST:4026',
    'localhost.:4026',
    'wallet.localhost:80',
    '127.0.0.1:4026',
    '[::1]:4026',
    '[::1]',
    '192.168.1.20:4003',
    '10.0.0.7',
    'portal.EXAMPLE',
    'portal.example:8443',
    'testbed:4003',
  ])('accepts %s', (host) => {
    expect(isOwn(host)).toBe(true)
  })

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4026',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example/localhost',
    'evil.example#localhost',
    'evil.example\\localhost',
    'sub.testbed',
    'x.portal.example',
    'localhost:port',
    '[::1',
  ])('rejects %s', (host) => {
    expect(isOwn(host)).toBe(false)
  })
})

it('parses names separated by commas', () => {
  expect(splitHosts(' a, b.example ,,')).toEqual(['a', 'b.example'])
  expect(splitHosts()).toEqual([])
})
