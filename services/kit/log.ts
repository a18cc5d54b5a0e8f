import { type DestinationStream, type Logger, pino } from 'pino'
import { currentRequest } from '#kit/request-context.ts'

export type Log = Logger

/** Members that never reach a log, wherever they stand in what is logged. */
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

/**
 * The structured log on stderr, one JSON object a line; stdout is for data.
 * Each line carries the request id and the scenario id of the request being served.
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
