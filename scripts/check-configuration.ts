// Compares the reference pages of settings, commands, the control interface and rules with the code
// from which they are generated; with --write it updates them.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { environmentVariableOf } from '#kit/load-config.ts'
import {
  type ConfiguredService,
  configSchemas,
  documentVariables,
  ownedSettings,
} from '#testbed/services/service-settings.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import { createRulesPage } from './documentation/create-rule-pages.ts'
import { cell, code, table } from './documentation/markdown.ts'
import { controlPage, createCommandLinePage } from './reference/create-reference-pages.ts'

const root = dirname(import.meta.dirname)
const heading = "## The profile's variables\n"

/** The default, if it is short enough for a table. */
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
    // A default hides the description of the type that it wraps.
    const wrapped = member instanceof z.ZodDefault ? (member.unwrap() as z.ZodType) : undefined
    const description = member.description ?? wrapped?.description ?? ''
    const reason = Object.hasOwn(owned, key) ? `Not in the file: ${owned[key]}.` : ''
    const sentence =
      description === '' || description.endsWith('.') ? description : `${description}.`
    const meaning = [sentence, reason].filter(Boolean).join(' ')
    return [code(key), code(environmentVariableOf(key)), cell(defaultOf(member)), cell(meaning)]
  })
  return `### ${service}\n\n${table(['setting', 'variable', 'default', 'meaning'], rows)}`
}

const variables = Object.entries(documentVariables).map(([variable, targets]) => {
  return [code(variable), targets.map(([service, key]) => code(`${service}.${key}`)).join(', ')]
})
const services = Object.keys(configSchemas) as ConfiguredService[]
const tables = [
  `${heading}\n${table(['variable', 'setting'], variables)}`,
  '## Settings',
  ...(await Promise.all(services.map(createTable))),
].join('\n\n')

const settings = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8')
const pages: Readonly<Record<string, string>> = {
  'docs/reference/configuration.md': `${settings.slice(0, settings.indexOf(heading))}${tables}\n`,
  'docs/reference/command-line.md': await createCommandLinePage(),
  'docs/reference/control-interface.md': controlPage,
  'docs/reference/rules.md': createRulesPage(),
}
const problems = keepGenerated(pages)
reportProblems(problems, 'The generated reference pages match the code.')
