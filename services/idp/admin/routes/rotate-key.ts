import { rotateSigningKey } from '#kit/openid-provider/signing-keys.ts'
import { defineAdminForm } from '../define-admin-form.ts'
import { leadTo } from '../lead-to.ts'

/**
 * Makes a new key that signs from now on. The form names the key that it takes the place of: sent
 * twice, it makes one.
 */
export const rotateKey = defineAdminForm({
  path: '/admin/keys/rotate',
  summary: 'Make a new signing key',
  async handle({ session, fields }, { database, runtime, providers, log }) {
    const { tokenLifetime } = providers
    const options = { kid: fields.kid ?? '', tokenLifetime }
    if (!(await rotateSigningKey(database, runtime.clock, options))) return leadTo('/admin/keys')
    log.info({ admin: session.username, superseded: options.kid }, 'the signing key was rotated')
    return leadTo('/admin/keys?done=rotated')
  },
})
