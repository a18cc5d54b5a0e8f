import type { Runtime } from '#kit/runtime.ts'
import { zMailConfig } from '#services/mail/config.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import type { ServiceSettings } from '../service-settings.ts'

export interface MailOptions extends NonNullable<ServiceSettings['mail']> {
  readonly baseUrl: string
  readonly smtpHost: string
  readonly smtpPort: number
  readonly databaseUrl: string
}

/** The mail server, one for all environments. */
export function composeMail(options: MailOptions, runtime: Runtime): Promise<MailService> {
  return createMailService(zMailConfig.parse(options), runtime)
}
