import { describe, expect, it } from 'vitest'
import { requestAddress } from '#kit/read-request.ts'

const read = (originalUrl: string) => {
  const { pathname, search, searchParams } = requestAddress({ originalUrl })
  return [pathname, search, Object.fromEntries(searchParams)]
}

describe('the address of a request', () => {
  it('is its path and query', () => {
    expect(read('/wallets?env=pre&a=%C3%A9')).toEqual([
      '/wallets',
      '?env=pre&a=%C3%A9',
      { env: 'pre', a: 'é' },
    ])
    expect(read('/a//b/')).toEqual(['/a//b/', '', {}])
  })

  it.each([
    ['//attacker.example/', '/attacker.example/'],
    ['///attacker.example', '/attacker.example'],
    ['/\\attacker.example', '/attacker.example'],
    ['/.//attacker.example/', '/attacker.example/'],
    ['/x/..//attacker.example/', '/attacker.example/'],
    ['//x//attacker.example/', '/x//attacker.example/'],
    ['//', '/'],
    ['//:99999/', '/:99999/'],
    ['//%', '/%'],
  ])('does not name another host: %s', (path, expected) => {
    expect(read(`${path}?lang=es`)).toEqual([expected, '?lang=es', { lang: 'es' }])
  })

  it.each([
    ['http://console.example:80//attacker.example/?x=y', '/attacker.example/'],
    ['http://:99999/a?x=y', '/a'],
    ['HTTP://console.example?x=y', '/'],
  ])('omits the host of the absolute form: %s', (target, path) => {
    expect(read(target)).toEqual([path, '?x=y', { x: 'y' }])
  })
})
