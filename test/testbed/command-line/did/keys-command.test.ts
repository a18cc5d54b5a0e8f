import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { createDidCommands, digitsOf } from '#test/support/did-commands.ts'

describe('testbed did keys', () => {
  it('makes a new key, kept in a file of its own and shown nowhere', async () => {
    const { cwd, did, json } = createDidCommands()
    const made = await did(['keys', '--out', 'new.json'])
    expect(made.exitCode, made.stderr).toBe(0)
    const kept = JSON.parse(readFileSync(join(cwd, 'new.json'), 'utf8'))
    expect(statSync(join(cwd, 'new.json')).mode & 0o777).toBe(0o600)
    expect(made.stdout + made.stderr).not.toContain(digitsOf(kept.privateKey))
    const { privateKey: _, ...rest } = kept
    const shown = await json(['keys', '--key-file', 'new.json'])
    expect(shown).toEqual(rest)
    expect(await calculateJwkThumbprint(shown.publicKeyJwk)).toBe(shown.vMethodId)
    const hexJwk = Buffer.from(shown.publicKeyHexJwk.slice(2), 'hex').toString('utf8')
    expect(JSON.parse(hexJwk)).toEqual(shown.publicKeyJwk)

    const again = await did(['keys', '--out', 'new.json'])
    expect(again).toMatchObject({ exitCode: 2, stdout: '' })
    expect(JSON.parse(readFileSync(join(cwd, 'new.json'), 'utf8'))).toEqual(kept)
  })

  it('refuses to make a key that would be lost, and prints one only when asked', async () => {
    const { did, json } = createDidCommands()
    expect(await did(['keys'])).toMatchObject({ exitCode: 2, stdout: '' })
    const { privateKey } = await json(['keys', '--show-private-key'])
    expect(privateKey).toMatch(/^0x[0-9a-f]{64}$/)
  })
})
