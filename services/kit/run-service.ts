import { createServer } from 'node:http'
import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { invalidConfiguration } from './errors.ts'
import { loadConfig } from './load-config.ts'
import { createLog, readLogLevel } from './log.ts'
import { createRuntime, type Runtime, type Service } from './runtime.ts'
import { zHosts } from './z-fields.ts'

export interface RunOptions<Schema extends z.ZodObject> {
  readonly name: string
  readonly configSchema: Schema
  readonly createService: (config: Readonly<z.infer<Schema>>, runtime: Runtime) => Promise<Service>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Runs one service in this process: reads its configuration, listens on `HOST` and `PORT` (default:
 * 127.0.0.1 and a free port), accepts the additional host names in `ALLOWED_HOSTS`
 * (comma-separated), shuts down gracefully on SIGTERM and SIGINT. Exits with code 2 if the
 * configuration is invalid, 3 if the service cannot start.
 */
export async function runService<Schema extends z.ZodObject>(
  options: RunOptions<Schema>,
): Promise<void> {
  const { name, environment } = options
  const log = createLog()
  try {
    log.level = readLogLevel(environment, 'info')
    const { allowedHosts } = loadConfig(z.object({ allowedHosts: zHosts }), environment)
    const config = loadConfig(options.configSchema, environment)
    const service = await options.createService(config, createRuntime({ log, allowedHosts }))
    const server = createServer(service.app)
    // Empty variables count as unset; an empty address would open every interface.
    const port = environment.PORT || '0'
    const host = environment.HOST || '127.0.0.1'
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      log.fatal({ service: name }, `did not start: ${describePort({ code, address: host, port })}`)
      process.exit(3)
    })
    server.listen(parsePort(port), host, () => {
      log.info({ service: name, address: server.address() }, 'listening')
    })
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      server.close(() => {
        service.close().then(() => process.exit(0))
      })
      server.closeIdleConnections()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  } catch (error) {
    if (!isTestbedError(error)) {
      // SMTP has a separate port.
      const { syscall } = Object(error) as NodeJS.ErrnoException
      if (syscall === 'listen') {
        log.fatal({ service: name }, `did not start: ${describePort(error as PortError)}`)
      } else log.fatal({ service: name, err: error }, 'did not start')
      process.exit(3)
    }
    const { code, message, hints } = error
    log.fatal({ service: name, code, hints }, `did not start: ${message}`)
    process.exit(code === 'invalid_configuration' ? 2 : 3)
  }
}

interface PortError {
  readonly code?: string | undefined
  readonly address: string
  readonly port: string | number
}

const describePort = ({ code, address, port }: PortError): string =>
  `port ${port} of ${address} ${code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`}`

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port
  throw invalidConfiguration(`PORT is not a port number: ${text}`)
}
