/** Services in a separate process, which ../host-services.ts starts. */
import { serveParent } from '../../process/serve-parent.ts'
import type { ServiceCommand } from '../host-services.ts'
import { runServices } from './run-services.ts'

await serveParent<ServiceCommand>('service_failed', () =>
  runServices(JSON.parse(process.argv[2] ?? '{}')),
)
