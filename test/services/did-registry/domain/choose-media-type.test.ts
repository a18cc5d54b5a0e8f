import { describe, expect, it } from 'vitest'
import { chooseMediaType } from '#services/did-registry/domain/choose-media-type.ts'

const ld = 'application/did+ld+json'
const plain = 'application/did+json'

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
    ['nonsense', undefined],
    [',;,', undefined],
  ])('answers %o with %o', (accept, expected) => {
    expect(chooseMediaType(accept)).toBe(expected)
  })
})
