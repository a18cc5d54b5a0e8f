import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createFolder, lockDataFolder } from '#testbed/data-folder/lock-data-folder.ts'
import { openManifest } from '#testbed/data-folder/manifest.ts'
import { openSecrets } from '#testbed/data-folder/secrets.ts'

function codeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return isTestbedError(error) ? error.code : error
  }
}

describe('the lock of a data folder', () => {
  it('rejects a second testbed until it is released', () => {
    const folder = createTemporaryFolder()
    const lock = lockDataFolder(folder)
    expect(codeOf(() => lockDataFolder(folder))).toBe('data_folder_in_use')
    lock.release()
    lock.release()
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    lockDataFolder(folder).release()
  })

  it('is taken over from a process that was killed', async () => {
    const folder = createTemporaryFolder()
    const program = `
      import { lockDataFolder } from '#testbed/data-folder/lock-data-folder.ts'
      lockDataFolder(${JSON.stringify(folder)})
      process.stdout.write('locked')
      setInterval(() => {}, 1000)
    `
    const holder = spawn(process.execPath, ['--input-type=module', '-e', program])
    await once(holder.stdout, 'data')
    expect(codeOf(() => lockDataFolder(folder))).toBe('data_folder_in_use')
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    lockDataFolder(folder).release()
  })

  it('is taken over if the process id now belongs to another program', () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, began: 'long ago' }))
    lockDataFolder(folder).release()
  })

  it.each([
    ['README.md', '755'],
    ['mail.sqlite', '700'],
    ['runs/20261130-210224-0123ab', '700'],
    ['targets/mine.yaml', '700'],
    ['pre/notes.txt', '700'],
  ])('leaves a folder with %s at mode %s', (file, mode) => {
    const folder = createTemporaryFolder()
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
    chmodSync(folder, 0o755)
    lockDataFolder(folder).release()
    expect((statSync(folder).mode & 0o777).toString(8)).toBe(mode)
  })

  it('is taken over if the lock cannot be read', () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'lock'), '')
    lockDataFolder(folder).release()
  })
})

describe('a deleted data folder', () => {
  it('is reported, and what another testbed created there is kept', async () => {
    const folder = join(createTemporaryFolder(), 'data')
    const isLost = Promise.withResolvers<void>()
    const lock = lockDataFolder(folder, isLost.resolve)
    rmSync(folder, { recursive: true })
    const next = lockDataFolder(folder)
    await isLost.promise
    expect([lock.isHeld(), next.isHeld()]).toEqual([false, true])
    lock.release()
    expect(next.isHeld()).toBe(true)
    next.release()
  })
})

describe('a data folder', () => {
  it('is created with its parent folders', () => {
    const folder = join(createTemporaryFolder(), 'a', 'b')
    createFolder(folder)
    createFolder(folder)
    expect(existsSync(folder)).toBe(true)
  })

  it.runIf(process.platform === 'linux')('that cannot be created is rejected immediately', () => {
    const program = `
      import { createFolder } from '#testbed/data-folder/lock-data-folder.ts'
      try { createFolder('/proc/no/such/folder') } catch ({ code }) { process.stdout.write(code) }
    `
    // In a separate process: an endless retry can only be killed.
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 10_000,
      killSignal: 'SIGKILL',
    })
    expect(stdout.toString()).toBe('data_folder_refused')
  })
})

describe('the manifest of a data folder', () => {
  it.each([
    ['is damaged', 'database_damaged', (path: string) => writeFileSync(path, 'x'.repeat(9000))],
    ['cannot be opened', 'database_refused', (path: string) => mkdirSync(path)],
  ])('names a database that %s', async (_, code, create) => {
    const folder = createTemporaryFolder()
    const path = join(folder, 'mail.sqlite')
    const manifest = openManifest(folder, { environments: ['pre'] })
    create(path)
    await expect(manifest.complete()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(path),
    })
  })
})

describe('the secrets of a data folder', () => {
  function codeOf(work: () => unknown): unknown {
    try {
      return work()
    } catch (error) {
      return isTestbedError(error) ? error.code : error
    }
  }

  it('stay the same, readable only by their owner', () => {
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

  it('are random: another folder has different ones', () => {
    const one = openSecrets({})
    const other = openSecrets({})
    expect(one.seed).not.toBe(other.seed)
    expect(one.get('x')).not.toBe(other.get('x'))
    expect(Buffer.from(one.get('x'), 'base64url').length).toBeGreaterThanOrEqual(16)
  })

  it('do not derive from the seed', () => {
    expect(openSecrets({ seed: 'a' }).get('x')).not.toBe(openSecrets({ seed: 'a' }).get('x'))
  })

  it('contain the given seed, and reject a different one', () => {
    const folder = createTemporaryFolder()
    openSecrets({ folder, seed: 'first' }).save()
    expect(openSecrets({ folder }).seed).toBe('first')
    expect(openSecrets({ folder, seed: 'first' }).seed).toBe('first')
    expect(codeOf(() => openSecrets({ folder, seed: 'second' }))).toBe('seed_mismatch')
  })

  it('are never replaced if the file cannot be read', () => {
    const folder = createTemporaryFolder()
    const path = join(folder, 'secrets.json')
    writeFileSync(path, '{"version":1')
    expect(codeOf(() => openSecrets({ folder }))).toBe('secrets_damaged')
    expect(readFileSync(path, 'utf8')).toBe('{"version":1')
  })
})
