import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { startCommand } from '#scenarios/harness/command-line.ts'
import type { Finding } from './check.ts'

/** The Node that runs this, against the one the project needs. */
export function checkNode(): Finding {
  const needed = readFileSync(resolve(import.meta.dirname, '../../.nvmrc'), 'utf8').trim()
  const name = 'Node'
  const found = process.versions.node
  if (Number.parseInt(found, 10) >= Number.parseInt(needed, 10))
    return { name, verdict: 'ok', found }
  return {
    name,
    verdict: 'missing',
    found,
    advice: `Start by ${startCommand}, which brings Node ${needed}, or install it: https://nodejs.org`,
  }
}
