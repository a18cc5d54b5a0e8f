/** Verifier and IDP as a separate process, started by ./start-login-services.ts. */
import { serveParent } from '#testbed/process/serve-parent.ts'
import {
  type LoginCommand,
  type LoginServices,
  startLoginServices,
} from './start-login-services.ts'

await serveParent<LoginCommand>('login_services_failed', async () => {
  let services: LoginServices | undefined
  return {
    ready: null,
    async run(message) {
      if (message.command === 'close') return services?.close()
      const { addresses, party } = message
      services = await startLoginServices({ addresses, world: { createParty: () => party } })
      const { close: _, ...started } = services
      return started
    },
  }
})
