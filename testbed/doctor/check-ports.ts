import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { findPortOwner } from '../find-port-owner.ts'
import { listen } from '../listen.ts'
import { listPorts } from '../ports.ts'
import type { Finding } from './check.ts'

async function isFree(port: number, part: string): Promise<boolean> {
  try {
    await (await listen('127.0.0.1', port, part)).close()
    return true
  } catch {
    return false
  }
}

/** The process of the testbed that runs on a data folder, if `testbed.json` tells of one. */
function readTestbedPid(dataFolder: string): number | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'testbed.json'), 'utf8')).pid
  } catch {
    return undefined
  }
}

/** One phrase for each process, however many of the ports it holds. */
function describeTaken(ports: readonly number[]): string {
  const byOwner = Map.groupBy(ports, (port) => {
    const owner = findPortOwner(port)
    return owner === undefined ? 'a process of somebody else' : `${owner.pid} (${owner.command})`
  })
  return [...byOwner].map(([owner, held]) => `${held.join(', ')} taken by ${owner}`).join('; ')
}

/**
 * Whether the ports that `testbed up` would take are free, or held by the testbed that runs on this
 * data folder.
 */
export async function checkPorts(
  base: number,
  environments: readonly DidEnvironment[],
  dataFolder: string,
): Promise<Finding> {
  const ports = listPorts(base, environments)
  const free = await Promise.all(ports.map(({ port, part }) => isFree(port, part)))
  const taken = ports.map(({ port }) => port).filter((_port, index) => !free[index])
  const name = 'ports'
  if (taken.length === 0) {
    return { name, verdict: 'ok', found: `${ports.length} from ${base} free` }
  }
  const running = readTestbedPid(dataFolder)
  if (running !== undefined && findPortOwner(base)?.pid === running) {
    return {
      name,
      verdict: 'ok',
      found: `in use by the testbed that runs here, process ${running}`,
    }
  }
  return {
    name,
    verdict: 'missing',
    found: describeTaken(taken.toSorted((a, b) => a - b)),
    advice: 'Stop what holds them, or use --port-base N.',
  }
}
