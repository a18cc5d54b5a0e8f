import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { openTestbed, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder, shareTemporaryFolder } from '#test/support/temporary-folder.ts'
import { portOfEnvironmentPart } from '#testbed/process/ports.ts'
import { startTestbed } from '#testbed/start-testbed.ts'

const runOnce = async (dataFolder: string) => (await openTestbed({ dataFolder })).testbed.close()

/** A run that is killed once it is healthy. */
async function runUntilKilled(folder: string) {
  const testbed = spawnTestbed(folder)
  await testbed.healthy
  testbed.child.kill('SIGKILL')
  await testbed.ended
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

/** The error of a start on the folder, which must not get as far as a running testbed. */
async function refusalOf(dataFolder: string) {
  const testbed = await startTestbed({ dataFolder }).catch((error) => error)
  if ('close' in testbed) await testbed.close()
  return testbed
}

describe('a data folder', () => {
  const [folder, other] = [shareTemporaryFolder(), shareTemporaryFolder()]

  /** A copy of the folder, in the state in which a stopped testbed left it. */
  const copy = () => {
    const made = createTemporaryFolder()
    cpSync(folder, made, { recursive: true })
    return made
  }

  beforeAll(async () => {
    for (const each of [folder, other]) await runOnce(each)
  })

  it('is listed file by file', () => {
    const { files, journals } = readManifest(folder)
    const inner = readdirSync(join(folder, 'pre')).map((name) => `pre/${name}`)
    expect(inner).toHaveLength(8)
    expect(files).toEqual(['mail.sqlite', ...inner, 'secrets.json'].toSorted())
    expect(Object.keys(journals)).toEqual(['pre/chain.journal'])
  })

  it('with a missing file is rejected, and the error names the file', async () => {
    for (const file of readManifest(folder).files) {
      renameSync(join(folder, file), join(folder, 'elsewhere'))
      const error = await refusalOf(folder)
      renameSync(join(folder, 'elsewhere'), join(folder, file))
      expect([file, error.code]).toEqual([file, 'data_folder_incomplete'])
      expect(error.message).toContain(file)
      expect(error.hints.join()).toContain('reset')
    }
  })

  it('ends npm start with exit code 3 and a hint, and stays unchanged', async () => {
    const broken = copy()
    rmSync(join(broken, 'secrets.json'))
    const up = ['up', '--port-base', '0', '--data', broken]
    const { exitCode, stderr } = await runCommand(up, { cwd: broken })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('secrets.json is missing')
    expect(stderr).toContain(`testbed reset --data ${broken}`)
    expect(stderr).not.toContain('    at ')
    expect(existsSync(join(broken, 'secrets.json'))).toBe(false)
  })

  it.each<[string, (broken: string) => void, string]>([
    [
      'with a truncated journal',
      (broken) => truncateSync(join(broken, 'pre/chain.journal'), 400),
      'pre/chain.journal is shorter than after the last start',
    ],
    [
      'with the journal of another folder',
      (broken) => copyFileSync(join(other, 'pre/chain.journal'), join(broken, 'pre/chain.journal')),
      'is the journal of another chain',
    ],
    [
      'with a database of another folder',
      (broken) => copyFileSync(join(other, 'pre/issuer.sqlite'), join(broken, 'pre/issuer.sqlite')),
      'pre/issuer.sqlite belongs to another data folder',
    ],
    [
      'with an empty database',
      (broken) => truncateSync(join(broken, 'pre/idp.sqlite'), 0),
      'pre/idp.sqlite belongs to another data folder',
    ],
    [
      'with the secrets of another folder',
      (broken) => copyFileSync(join(other, 'secrets.json'), join(broken, 'secrets.json')),
      'secrets.json belongs to another data folder',
    ],
  ])('%s is rejected', async (_, damage, problem) => {
    const broken = copy()
    damage(broken)
    const error = await refusalOf(broken)
    expect(error).toMatchObject({ code: 'data_folder_mismatch' })
    expect(error.message).toContain(problem)
  })

  it('with an unreadable file is rejected, and not as if the file were missing', async () => {
    for (const file of ['manifest.json', 'secrets.json', 'pre/issuer.sqlite']) {
      const broken = copy()
      rmSync(join(broken, file))
      // Permissions do not stop the tests of an administrator.
      symlinkSync(basename(file), join(broken, file))
      const error = await refusalOf(broken)
      expect([file, error.code]).toEqual([file, 'data_folder_refused'])
      expect(error.message).toContain(join(broken, file))
    }
  })

  it('with a database from an earlier run is rejected, also if only its log is missing', async () => {
    const used = copy()
    await runOnce(used)
    copyFileSync(join(folder, 'pre/issuer.sqlite'), join(used, 'pre/issuer.sqlite'))
    expect((await refusalOf(used)).message).toContain('pre/issuer.sqlite is older')

    const killed = copy()
    await runUntilKilled(killed)
    rmSync(join(killed, 'pre/issuer.sqlite-wal'))
    rmSync(join(killed, 'pre/issuer.sqlite-shm'), { force: true })
    expect((await refusalOf(killed)).message).toContain('pre/issuer.sqlite is older')
  })

  it('of 0.1.0, without a manifest, is accepted if it is complete', async () => {
    const old = copy()
    rmSync(join(old, 'manifest.json'))
    renameSync(join(old, 'pre/issuer.sqlite'), join(old, 'issuer.sqlite'))
    expect(await refusalOf(old)).toMatchObject({ code: 'data_folder_incomplete' })
    renameSync(join(old, 'issuer.sqlite'), join(old, 'pre/issuer.sqlite'))
    const before = JSON.parse(readFileSync(join(old, 'secrets.json'), 'utf8'))
    await runOnce(old)
    expect(readManifest(old)).toMatchObject({ run: 1, version: 1 })
    expect(JSON.parse(readFileSync(join(old, 'secrets.json'), 'utf8')).seed).toBe(before.seed)
  })

  it('is accepted after kill -9, with later additions', async () => {
    const killed = copy()
    await runUntilKilled(killed)
    expect(readManifest(killed).run).toBe(2)
    await runOnce(killed)
    expect(readManifest(killed).run).toBe(3)
  })

  it('whose first start failed can be started again', async () => {
    // Below the ports that the system gives to other tests.
    const base = randomInt(20_000, 30_000)
    // The port of the last service, so that everything else has begun by then.
    const port = portOfEnvironmentPart(base, 'pre', 'token-issuer')
    const blocker = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void blocker.close())
    await once(blocker, 'listening')
    const fresh = createTemporaryFolder()
    const up = ['up', '--port-base', String(base), '--data', fresh]
    const { exitCode, stderr } = await runCommand(up, { cwd: fresh })
    expect(exitCode).toBe(3)
    expect(stderr).toContain(`Port ${port}`)
    expect(readManifest(fresh).run).toBe(0)
    await runOnce(fresh)
    expect(readManifest(fresh).run).toBe(1)
  })
})
