import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createDidKey } from '#test/support/create-did-key.ts'
import { createDidCommands, digitsOf } from '#test/support/did-commands.ts'

interface Vector {
  readonly privateKey: string
  readonly publicKey: string
  readonly address: string
  readonly vMethodId: string
  readonly proof: string
  readonly did: string
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../../core/did/vectors/did-proof.json', import.meta.url), 'utf8'),
)

describe('testbed did create', () => {
  for (const { privateKey, ...expected } of vectors) {
    // @row 2.endpoints/did-registry.17 2.endpoints/did-registry.20
    it(`gives the known answer for ${expected.did}, however the key comes`, async () => {
      const { json, fileWith } = createDidCommands()
      const jwk = {
        kty: 'EC',
        crv: 'secp256k1',
        d: Buffer.from(digitsOf(privateKey), 'hex').toString('base64url'),
      }
      const answers = await Promise.all([
        json(['create', '--private-key', privateKey]),
        json(['create', '--key-file', '-'], `${digitsOf(privateKey)}\n`),
        json(['create', '--key-file', fileWith('key.json', { privateKey })]),
        json(['create', '--key-file', fileWith('jwk.json', jwk)]),
      ])
      for (const answer of answers) expect(answer).toEqual(expected)
    })
  }

  it('makes DIDs of the environment that is asked for', async () => {
    const { json, keyFile } = createDidCommands()
    const { did } = await json(['create', '--env', 'pro', '--key-file', keyFile('somebody')])
    expect(did).toBe(createDidKey('somebody', 'did:org:uc:').did)
  })

  it('refuses what is no key, or two, as wrong usage, and never repeats it', async () => {
    const keys = [
      { args: [] },
      { args: ['--private-key', 'abc123abc123'] },
      { args: ['--private-key', `0x${'0'.repeat(64)}`] },
      // The order of the group: the first number that is no key any more.
      {
        args: [
          '--private-key',
          '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
        ],
      },
      { args: ['--key-file', 'nowhere'] },
      { args: ['--private-key', `0x${'1'.repeat(64)}`, '--key-file', '-'] },
    ]
    const { did } = createDidCommands()
    const outcomes = await Promise.all(keys.map(({ args }) => did(['create', ...args])))
    outcomes.forEach((outcome, index) => {
      expect(outcome, `case ${index}`).toMatchObject({ exitCode: 2, stdout: '' })
      const [option, given = ''] = keys[index]?.args ?? []
      if (option === '--private-key') expect(outcome.stderr).not.toContain(digitsOf(given))
    })
  })
})
