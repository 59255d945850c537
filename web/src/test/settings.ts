import type { Profile, Theme } from '~/core'
import { network } from './network'
import { open, signInUser } from './open'

/** The user of the tests of the Settings page. */
export const ada: Profile = {
  id: 'u1',
  email: 'ada@nordbil.example',
  first_name: 'Ada',
  last_name: 'Lind',
  mobile: '+46 70 123 45 67',
  type: 'Admin',
  profileImage: '',
  logo: '',
  theme: '#3b82f6',
  role: '',
  corp: { corp_id: 'c1', corp_name: 'Nordbil AB', country: 'GB', currency: 'GBP', vat_rate: 20 },
  organization: {
    organization_name: 'Nordbil AB',
    organization_number: '559360-9844',
    organization_email: '',
    organization_phone: '',
    business_category: 'Vehicle trade',
    legal_form: 'Aktiebolag',
    company_email: 'info@nordbil.example',
    company_phone: '',
  },
  connected: false,
  version: 1,
}

/**
 * Signs in the user `ada`. The fake server responds with the returned `profile` and `theme`, which a test can change.
 */
export function serveAccount(more: Partial<Profile> = {}, theme: Theme = { color: '#3b82f6' }) {
  const server = { profile: { ...ada, ...more }, theme }
  signInUser()
  network.on('GET /api/auth/profile/detail', () => ({ body: { success: true, data: server.profile } }))
  network.on('GET /api/theme', () => ({ body: themeResponse(server.theme) }))
  return server
}

/** Opens the Settings page of the user `ada`, with the changes `more`. */
export function openSettings(more: Partial<Profile> = {}, theme?: Theme) {
  const server = serveAccount(more, theme)
  return { server, ...open('/dashboard/profile') }
}

export const themeResponse = (theme: Theme) => ({
  success: true,
  message: '',
  color: theme.color,
  theme: theme.color,
  data: theme,
})

/** Returns a picture file of the given size, encoded by the browser. */
export async function createPicture(width: number, height: number, type = 'image/png'): Promise<File> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#c02040'
  context.fillRect(0, 0, width / 2, height)
  context.fillStyle = '#2040c0'
  context.fillRect(width / 2, 0, width / 2, height)
  return new File([await canvas.convertToBlob({ type })], 'picture', { type })
}
