import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type InstalledPackage, runProgram } from '#test/support/installed-package.ts'
import { readDockerfile, readExecForm } from '#test/support/read-dockerfile.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const dockerfile = resolve(import.meta.dirname, '../../containers/Dockerfile')
const [build, dependencies, image] = readDockerfile(readFileSync(dockerfile, 'utf8'))

const textsOf = (stage: typeof image, name: string) =>
  stage?.instructions.filter((each) => each.name === name).map((each) => each.text) ?? []

// The tests may run as root; the image's user is not root.
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The Dockerfile's lines, run one by one in folders of this machine in place of an image's. */
export function describeImage(installed: () => InstalledPackage): void {
  describe('the image of the installed package', () => {
    it('is built by working instructions, and starts, becomes healthy and stops', async () => {
      const folder = createTemporaryFolder()
      // Created with access only for its owner; the image's user is a different one.
      for (const path of [folder, dirname(installed().folder)]) chmodSync(path, 0o755)
      const at = (path: string) => join(folder, path)
      const place = (line: string) =>
        line.replace(/(?<=^|[\s"'=])\/(source|package|opt|data)\b/g, (_, name) => at(name))
      const run = async (line: string, cwd: string, env: Record<string, string> = {}) => {
        const { code, stderr } = await runProgram('sh', ['-c', place(line)], { cwd, env })
        expect({ line, code, stderr: code === 0 ? '' : stderr }).toMatchObject({ code: 0 })
      }

      expect(textsOf(build, 'COPY')).toEqual(['. .'])
      cpSync(join(installed().folder, 'node_modules/lear-testbed'), at('source'), {
        recursive: true,
      })
      for (const line of textsOf(build, 'RUN')) await run(line, at('source'))

      expect(textsOf(dependencies, 'COPY')).toEqual(['--from=package /package .'])
      cpSync(at('package'), at('opt/lear-testbed'), { recursive: true })
      // Replaces the work of npm: the same packages have just been installed in the fixture.
      const dryRun = { npm_config_dry_run: 'true', npm_config_prefer_offline: 'true' }
      for (const line of textsOf(dependencies, 'RUN'))
        await run(line, at('opt/lear-testbed'), dryRun)
      symlinkSync(join(installed().folder, 'node_modules'), at('opt/lear-testbed/node_modules'))

      // A user `node` may not exist here.
      mkdirSync(at('bin'))
      writeFileSync(at('bin/chown'), '#!/bin/sh\necho "$@" >> "$0.log"\n', { mode: 0o755 })
      const path = [at('bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
      for (const line of textsOf(image, 'RUN')) await run(line, folder, { PATH: path })
      expect(readFileSync(at('bin/chown.log'), 'utf8')).toBe(`node:node ${at('data')}\n`)
      if (unprivileged.uid !== undefined) chownSync(at('data'), unprivileged.uid, unprivileged.gid)

      const isHealthy = async () => {
        const [program = '', ...args] = readExecForm(place(textsOf(image, 'HEALTHCHECK')[0] ?? ''))
        const { code } = await runProgram(program, [...args, at('data/testbed.json')])
        return code === 0
      }
      expect(await isHealthy()).toBe(false)
      const [, ...entry] = readExecForm(place(textsOf(image, 'ENTRYPOINT')[0] ?? ''))
      const command = readExecForm(place(textsOf(image, 'CMD')[0] ?? '')).map((argument) =>
        argument === '0.0.0.0' ? '127.0.0.1' : argument,
      )
      const child = spawn(process.execPath, [...entry, ...command, '--port-base', '0'], {
        ...unprivileged,
        cwd: at('data'),
        env: { PATH: path, NODE_ENV: 'production' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const output = text(child.stderr)
      await Promise.race([once(child.stdout, 'data'), output.then((text) => expect(text).toBe(''))])
      expect(await isHealthy()).toBe(true)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(await isHealthy()).toBe(false)
    }, 240_000)
  })
}
