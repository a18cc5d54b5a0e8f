/** Services in a separate process, which ../host-services.ts starts. */
import { serveParent } from '#testbed/process/serve-parent.ts'
import type { ServiceCommand, ServicesStart } from '../host-services.ts'
import { runServices } from './run-services.ts'

await serveParent<ServiceCommand, ServicesStart>('service_failed', (start) => runServices(start))
