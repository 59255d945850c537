import { answer, held, open, opens, openWaiting, press, refused, sees, state } from './steps'

const corporations = '/dashboard/corporations'
const usersOf = (name: RegExp) => [open(corporations), press(name, 'link'), sees('Users for')] as const

/** The screens of the platform's administrator. */
export const platformStates = [
  state('Dashboard, of the platform', open('/dashboard')),
  state('Corporations', open(corporations)),
  state('Corporations, loading', held(/\/api\/corporations\?/), openWaiting(corporations)),
  state('Corporations, failed', refused(/\/api\/corporations\?/), open(corporations), sees('Try Again')),
  state('Corporations, nothing found', open(`${corporations}?search=nobody-has-this-name`)),
  state('Corporations, new', open(corporations), press('Add Corporation'), opens(), sees('Resources')),
  state(
    'Corporations, new, with errors',
    open(corporations),
    press('Add Corporation'),
    sees('Resources'),
    answer('Register corporation'),
  ),
  state('Corporations, edit', open(corporations), press(/^Edit /), opens(), sees('Company contact')),
  state('Corporations, delete', open(corporations), press(/^Delete /), opens()),
  state('Users of a corporation', ...usersOf(/^View users of Nordbil/)),
  state(
    'Users of a corporation, loading',
    held(/\/api\/corporations\/[^/]+\/users/),
    openWaiting(`${corporations}/00000000-0000-4000-8000-000000000000/users`),
  ),
  state(
    'Users of a corporation, unknown',
    open(`${corporations}/00000000-0000-4000-8000-000000000000/users`),
  ),
  state('Users of a corporation, new', ...usersOf(/^View users of Nordbil/), press('Add User'), opens()),
  state(
    'Users of a corporation, new, with errors',
    ...usersOf(/^View users of Nordbil/),
    press('Add User'),
    answer(/^Add user/),
  ),
  state('Users of a corporation, ban', ...usersOf(/^View users of Nordbil/), press(/^Ban /), opens()),
  state(
    'Users of a corporation, deactivate',
    ...usersOf(/^View users of Nordbil/),
    press(/^Deactivate /),
    opens(),
  ),
]
