import { previewMappers } from '../../domain/mappers.ts'
import { defineAdminForm } from '../define-admin-form.ts'
import { sampleCredential } from '../domain/sample-credential.ts'
import { previewFragment } from '../pages/preview-fragment.ts'

/** The preview alone, for the page's script. */
export const previewScopeMappers = defineAdminForm({
  path: '/admin/mappers/:scope/preview',
  summary: 'Preview the mappers of a scope',
  handle: ({ fields }) => ({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    },
    body: previewFragment(previewMappers(fields.mappers ?? '', sampleCredential)).markup,
  }),
})
