import {
  blockRequests,
  expectOpen,
  expectText,
  loadingStates,
  open,
  openLoading,
  press,
  pressInDialog,
  state,
} from './steps'

const corporations = '/dashboard/corporations'
const usersOf = (name: RegExp) => [open(corporations), press(name, 'link'), expectText('Users for')] as const

/** The states of the screens of a platform administrator. */
export const platformStates = [
  state('Dashboard, of the platform', open('/dashboard')),
  ...loadingStates('Corporations', corporations, /\/api\/corporations\?/),
  state('Corporations, nothing found', open(`${corporations}?search=nobody-has-this-name`)),
  state(
    'Corporations, new',
    open(corporations),
    press('Add Corporation'),
    expectOpen(),
    expectText('Resources'),
  ),
  state(
    'Corporations, new, with errors',
    open(corporations),
    press('Add Corporation'),
    expectText('Resources'),
    pressInDialog('Register corporation'),
  ),
  state(
    'Corporations, edit',
    open(corporations),
    press(/^Edit /),
    expectOpen(),
    expectText('Company contact'),
  ),
  state('Corporations, delete', open(corporations), press(/^Delete /), expectOpen()),
  state('Users of a corporation', ...usersOf(/^View users of Nordbil/)),
  state(
    'Users of a corporation, loading',
    blockRequests(/\/api\/corporations\/[^/]+\/users/),
    openLoading(`${corporations}/00000000-0000-4000-8000-000000000000/users`),
  ),
  state(
    'Users of a corporation, unknown',
    open(`${corporations}/00000000-0000-4000-8000-000000000000/users`),
  ),
  state('Users of a corporation, new', ...usersOf(/^View users of Nordbil/), press('Add User'), expectOpen()),
  state(
    'Users of a corporation, new, with errors',
    ...usersOf(/^View users of Nordbil/),
    press('Add User'),
    pressInDialog(/^Add user/),
  ),
  state('Users of a corporation, ban', ...usersOf(/^View users of Nordbil/), press(/^Ban /), expectOpen()),
  state(
    'Users of a corporation, deactivate',
    ...usersOf(/^View users of Nordbil/),
    press(/^Deactivate /),
    expectOpen(),
  ),
]
