// Compares the tables of docs/reference/configuration.md with the configuration schemas of the services; with
// --write it writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { environmentVariableOf } from '#kit/load-config.ts'
import {
  type ConfiguredService,
  configSchemas,
  documentVariables,
  ownedSettings,
} from '#testbed/services/service-settings.ts'

const documentFile = 'docs/reference/configuration.md'
const path = join(dirname(import.meta.dirname), documentFile)
const heading = "## The profile's variables\n"

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The default, where it is short enough for a table. */
function defaultOf(member: z.ZodType): string {
  const result = member.safeParse(undefined)
  if (!result.success || result.data === undefined) return ''
  const text = JSON.stringify(result.data)
  return text.length <= 60 ? `\`${text}\`` : 'see `config.ts`'
}

async function createTable(service: ConfiguredService): Promise<string> {
  const { shape } = await configSchemas[service]()
  const owned = ownedSettings[service]
  const rows = Object.entries<z.ZodType>(shape).map(([key, member]) => {
    const { description = '' } = member
    const reason = Object.hasOwn(owned, key) ? `Not in the file: ${owned[key]}.` : ''
    const sentence =
      description === '' || description.endsWith('.') ? description : `${description}.`
    const meaning = [sentence, reason].filter(Boolean).join(' ')
    return `| \`${key}\` | \`${environmentVariableOf(key)}\` | ${cell(defaultOf(member))} | ${cell(meaning)} |`
  })
  return [
    `### ${service}\n`,
    '| setting | variable | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

const variables = Object.entries(documentVariables).map(([variable, targets]) => {
  const settings = targets.map(([service, key]) => `\`${service}.${key}\``)
  return `| \`${variable}\` | ${settings.join(', ')} |`
})
const services = Object.keys(configSchemas) as ConfiguredService[]
const tables = [
  [heading, '| variable | setting |', '| --- | --- |', ...variables].join('\n'),
  '## Settings',
  ...(await Promise.all(services.map(createTable))),
].join('\n\n')

const found = readFileSync(path, 'utf8')
const document = `${found.slice(0, found.indexOf(heading))}${tables}\n`
if (found === document) {
  console.log('docs/reference/configuration.md lists every setting.')
} else if (process.argv.includes('--write')) {
  writeFileSync(path, document)
  console.log(`${documentFile} written.`)
} else {
  console.log(`${documentFile} is out of date: run node scripts/check-configuration.ts --write`)
  process.exitCode = 1
}
