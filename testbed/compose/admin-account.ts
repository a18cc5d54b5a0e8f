import type { EnvironmentContext } from './environment-context.ts'

/** The account of the IDP's admin panel. */
export function adminOf(context: EnvironmentContext) {
  return { username: 'admin', password: context.secret('password/admin') }
}
