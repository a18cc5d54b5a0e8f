import { StatementSync } from 'node:sqlite'

// Loaded with `--import` before a service: ends the process by SIGKILL right before or right after
// the first statement that matches, or after its transaction, as a machine does that loses its power
// at that very point.

const { KILL_WHEN, KILL_STATEMENT, KILL_PARAMETER } = process.env
const statement = new RegExp(KILL_STATEMENT ?? '^')

let matched = false

const die = () => process.kill(process.pid, 'SIGKILL')

for (const method of ['run', 'all', 'get', 'iterate'] as const) {
  Object.defineProperty(StatementSync.prototype, method, {
    value: new Proxy(StatementSync.prototype[method], {
      apply(target, self: StatementSync, parameters: unknown[]) {
        const isAt =
          statement.test(self.sourceSQL) &&
          (KILL_PARAMETER === undefined || parameters.includes(KILL_PARAMETER))
        if (isAt && KILL_WHEN === 'before') die()
        const result: unknown = Reflect.apply(target, self, parameters)
        if (isAt && KILL_WHEN === 'after') die()
        if (matched && /^commit/i.test(self.sourceSQL)) die()
        matched ||= isAt
        return result
      },
    }),
  })
}
