import type { DidEnvironment } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { listen } from '../listen.ts'
import { listPorts } from '../ports.ts'
import type { Finding } from './check.ts'

async function findProblem(port: number, part: string): Promise<string | undefined> {
  try {
    await (await listen('127.0.0.1', port, part)).close()
    return undefined
  } catch (error) {
    return isTestbedError(error) ? error.message : String(error)
  }
}

/** Whether the ports that `testbed up` would take are free. */
export async function checkPorts(
  base: number,
  environments: readonly DidEnvironment[],
): Promise<Finding> {
  const ports = listPorts(base, environments)
  const problems = (
    await Promise.all(ports.map(({ port, part }) => findProblem(port, part)))
  ).filter((problem) => problem !== undefined)
  const name = 'ports'
  if (problems.length === 0)
    return { name, verdict: 'ok', found: `${ports.length} from ${base} free` }
  return {
    name,
    verdict: 'missing',
    found: problems.join(' '),
    advice: 'Stop what holds them (a testbed that is running?), or use --port-base N.',
  }
}
