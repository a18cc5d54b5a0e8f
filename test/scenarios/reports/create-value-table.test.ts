import { describe, expect, it } from 'vitest'
import { createValueTable } from '#scenarios/reports/create-value-table.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (payload: object) => `${encode({ alg: 'ES256K' })}.${encode(payload)}`

describe('createValueTable', () => {
  it('keeps equal values once', () => {
    const table = createValueTable()
    const first = table.add({ body: { a: 1 } })
    expect(table.add({ body: { a: 2 } })).not.toBe(first)
    expect(table.add({ body: { a: 1 } })).toBe(first)
    expect(JSON.parse(table.jsonOf(first))).toEqual({ body: { a: 1 } })
  })

  it('decodes a token once, however often and with whatever signature it stands there', () => {
    const table = createValueTable()
    const token = tokenOf({ iss: 'joe' })
    const one = table.add({ credential: `${token}.…` })
    const other = table.add([`openid4vp://?request=${token}.signature`, `${token}.…`])
    const reached = table.reach([one, other])
    expect(reached.size).toBe(3)
    const [decoded] = [...reached].filter((number) => number !== one && number !== other)
    expect(JSON.parse(table.jsonOf(decoded ?? -1))).toEqual({
      header: { alg: 'ES256K' },
      payload: { iss: 'joe' },
    })
    expect(table.jsonOf(one)).not.toContain('eyJ')
    expect(table.jsonOf(other)).toContain('openid4vp://?request=')
  })

  it('reaches a token within a token', () => {
    const table = createValueTable()
    const inner = tokenOf({ sub: 'inner' })
    const number = table.add({ vp_token: tokenOf({ vp: { verifiableCredential: [inner] } }) })
    const texts = [...table.reach([number])].map((each) => table.jsonOf(each))
    expect(texts).toHaveLength(3)
    expect(texts.some((text) => text.includes('"sub":"inner"'))).toBe(true)
  })

  it('takes no reference from a message: it would show another one’s token', () => {
    const table = createValueTable()
    table.add({ credential: tokenOf({ secret: 'x' }) })
    const forged = table.add({ '\uE0000\uE001': ['\uE0000\uE001'] })
    expect(table.reach([forged]).size).toBe(1)
    expect(table.jsonOf(forged)).toBe('{"\uFFFD0\uFFFD":["\uFFFD0\uFFFD"]}')
  })

  it('stands nesting without end', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
    expect(createValueTable().add(deep)).toBe(0)
  })
})
