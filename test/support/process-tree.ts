import { execFileSync } from 'node:child_process'

export interface RunningProcess {
  readonly pid: number
  readonly command: string
}

/** The processes that a process has started, and those that these have, by what the system says. */
export function descendantsOf(pid: number): readonly RunningProcess[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .filter((match) => match !== null)
    .map(([, own, parent, command = '']) => ({
      pid: Number(own),
      parent: Number(parent),
      command,
    }))
  const below = (parent: number): RunningProcess[] =>
    rows
      .filter((row) => row.parent === parent)
      .flatMap(({ pid: own, command }) => [{ pid: own, command }, ...below(own)])
  return below(pid)
}

/** Those of them that are still there; one that has ended and is only not yet buried is not. */
export function alive(processes: readonly RunningProcess[]): readonly RunningProcess[] {
  return processes.filter(({ pid }) => {
    try {
      return !/^Z/.test(
        execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }),
      )
    } catch {
      return false
    }
  })
}
