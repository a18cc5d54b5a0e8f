import { changePassword } from './routes/change-password.ts'
import { createClient } from './routes/create-client.ts'
import { deleteClient } from './routes/delete-client.ts'
import { previewScopeMappers } from './routes/preview-scope-mappers.ts'
import { rotateClientSecret } from './routes/rotate-client-secret.ts'
import { rotateKey } from './routes/rotate-key.ts'
import { saveScopeMappers } from './routes/save-scope-mappers.ts'
import { showAccount } from './routes/show-account.ts'
import { showAdminLogin } from './routes/show-admin-login.ts'
import { showClient } from './routes/show-client.ts'
import { showClients } from './routes/show-clients.ts'
import { showKeys } from './routes/show-keys.ts'
import { showMappers } from './routes/show-mappers.ts'
import { showNewClient } from './routes/show-new-client.ts'
import { showOverview } from './routes/show-overview.ts'
import { showScopeMappers } from './routes/show-scope-mappers.ts'
import { showSession } from './routes/show-session.ts'
import { showSessions } from './routes/show-sessions.ts'
import { submitAdminLogin } from './routes/submit-admin-login.ts'
import { submitAdminLogout } from './routes/submit-admin-logout.ts'
import { updateClient } from './routes/update-client.ts'

/** Every endpoint of the admin panel. */
export const adminRoutes = [
  showOverview,
  showAdminLogin,
  submitAdminLogin,
  submitAdminLogout,
  showClients,
  createClient,
  showNewClient,
  showClient,
  updateClient,
  rotateClientSecret,
  deleteClient,
  showMappers,
  showScopeMappers,
  saveScopeMappers,
  previewScopeMappers,
  showSessions,
  showSession,
  showKeys,
  rotateKey,
  showAccount,
  changePassword,
]
