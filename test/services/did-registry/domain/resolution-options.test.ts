import { describe, expect, it } from 'vitest'
import { chooseMediaType } from '#services/did-registry/domain/resolution-options.ts'

const ld = 'application/did+ld+json'
const plain = 'application/did+json'

// @row 2.errors/did-registry.6
describe('chooseMediaType', () => {
  it.each([
    [undefined, ld],
    ['', ld],
    ['*/*', ld],
    ['application/*', ld],
    [ld, ld],
    [plain, plain],
    ['APPLICATION/DID+JSON', plain],
    [`${plain}, ${ld}`, ld],
    [`${ld};q=0.5, ${plain}`, plain],
    [`${ld};q=0, */*`, plain],
    [`${plain};q=0, application/*;q=0.1`, ld],
    [`text/html, ${plain};q=0.001`, plain],
    [`${plain}; charset=utf-8`, plain],
    [`${ld};profile="https://www.w3.org/ns/did";q=1.000`, ld],
    ['text/html', undefined],
    ['application/json', undefined],
    ['application/ld+json', undefined],
    [`${ld};q=0`, undefined],
    ['*/*;q=0', undefined],
    [`${ld};q=2`, undefined],
    [`${ld};q=x`, undefined],
    [`text/html;a="${plain}, ${ld}, "`, undefined],
    [`text/html;a="\\", ${plain}", ${ld};q=0.1`, ld],
    ['application/*;q=0.2, */*;q=0.9', ld],
    [`${ld};Q=0.1, ${plain};q=0.2`, plain],
    [`*/*;q=0.1, ${plain};q=0`, ld],
    ['nonsense', undefined],
    [',;,', undefined],
  ])('answers %o with %o', (accept, expected) => {
    expect(chooseMediaType(accept)).toBe(expected)
  })
})
