import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { openSecrets } from '#testbed/data-folder/secrets.ts'

function codeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return isTestbedError(error) ? error.code : error
  }
}

describe('the secrets of a data folder', () => {
  it('stay the same, readable by their owner alone', () => {
    const folder = createTemporaryFolder()
    const first = openSecrets({ folder })
    const token = first.get('control/token')
    expect(first.get('control/token')).toBe(token)
    expect(first.get('other')).not.toBe(token)
    first.save()
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    const second = openSecrets({ folder })
    expect(second.get('control/token')).toBe(token)
    expect(second.seed).toBe(first.seed)
  })

  it('are random: another folder has others', () => {
    const one = openSecrets({})
    const other = openSecrets({})
    expect(one.seed).not.toBe(other.seed)
    expect(one.get('x')).not.toBe(other.get('x'))
    expect(Buffer.from(one.get('x'), 'base64url').length).toBeGreaterThanOrEqual(16)
  })

  it('do not derive from the seed', () => {
    expect(openSecrets({ seed: 'a' }).get('x')).not.toBe(openSecrets({ seed: 'a' }).get('x'))
  })

  it('hold the seed that was given, and refuse another one', () => {
    const folder = createTemporaryFolder()
    openSecrets({ folder, seed: 'first' }).save()
    expect(openSecrets({ folder }).seed).toBe('first')
    expect(openSecrets({ folder, seed: 'first' }).seed).toBe('first')
    expect(codeOf(() => openSecrets({ folder, seed: 'second' }))).toBe('seed_mismatch')
  })

  it('are never replaced where the file cannot be read', () => {
    const folder = createTemporaryFolder()
    const path = join(folder, 'secrets.json')
    writeFileSync(path, '{"version":1')
    expect(codeOf(() => openSecrets({ folder }))).toBe('secrets_damaged')
    expect(readFileSync(path, 'utf8')).toBe('{"version":1')
  })
})
