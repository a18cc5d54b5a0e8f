import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

it('docs/guides/explain-a-message.md quotes the actual output', async () => {
  const path = resolve(import.meta.dirname, '../../../../docs/guides/explain-a-message.md')
  const document = await readFile(path, 'utf8')
  const blockOf = (language: string) =>
    new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\``, 's').exec(document)?.[1] ?? ''
  const cwd = createTemporaryFolder()
  await writeFile(join(cwd, 'offer.json'), blockOf('json'))
  const [npx, program, ...args] = blockOf('sh').split(' ')
  expect([npx, program]).toEqual(['npx', 'lear-testbed'])
  const { exitCode, stdout } = await runCommand(args, { cwd, env: { NO_COLOR: '1' } })
  expect(exitCode).toBe(1)
  // The guide is for projects that installed the package, in which the profile is elsewhere.
  const installed = stdout.replace(
    /docs\/(.*)\.md#/,
    'node_modules/lear-testbed/dist/documentation/$1.html#',
  )
  expect(installed.trimEnd()).toBe(blockOf('text'))
})
