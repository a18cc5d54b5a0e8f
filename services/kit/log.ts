import { type DestinationStream, type Logger, pino } from 'pino'
import { invalidConfiguration } from './errors.ts'
import { currentRequest } from './request-context.ts'

export type Log = Logger

/** Members that never reach a log, at any depth. */
const secretMembers = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'password',
  'client_secret',
  'clientSecret',
  'privateKey',
  'access_token',
  'refresh_token',
  'id_token',
  'vp_token',
  'tx_code',
  'pre-authorized_code',
]

const levels = ['silent', ...Object.keys(pino.levels.values)]

/**
 * The level in `LOG_LEVEL`.
 * @throws TestbedError `invalid_configuration` if there is no such level
 */
export function readLogLevel(
  { LOG_LEVEL: level = '' }: Readonly<Record<string, string | undefined>>,
  otherwise: string,
): string {
  if (level === '' || levels.includes(level)) return level || otherwise
  throw invalidConfiguration(`LOG_LEVEL must be one of ${levels.join(', ')}: ${level}`)
}

/**
 * Creates the structured log on stderr, one JSON object per line; stdout is for data.
 * Each line has the request id and the scenario id of the current request.
 */
export function createLog({
  level = 'info',
  destination = pino.destination({ dest: 2, sync: true }),
}: {
  level?: string
  destination?: DestinationStream
} = {}): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: secretMembers.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
      mixin: () => currentRequest() ?? {},
    },
    destination,
  )
}
