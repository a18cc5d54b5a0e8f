import { execFileSync } from 'node:child_process'

/** Whether {@link limitFileSize} works here: `prlimit` comes with every Linux distribution. */
export function canLimitFileSize(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Lets a running process write no file beyond so many bytes, as a full disk would, until `unlimited`. */
export function limitFileSize(pid: number | undefined, bytes: number | 'unlimited'): void {
  // The hard limit stays, so that an ordinary user can raise it again.
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}
