import {
  blockRequests,
  expectOpen,
  expectText,
  loadingStates,
  open,
  openLoading,
  press,
  pressInDialog,
  pressInRow,
  state,
} from './steps'

const corporations = '/dashboard/corporations'
const usersOf = (name: string) =>
  [
    open(corporations),
    pressInRow(new RegExp(`^View users of ${name}`), name),
    expectText('Users for'),
  ] as const

/** The states of the screens of a platform administrator. */
export const platformStates = [
  state('Dashboard, of the platform', open('/dashboard')),
  ...loadingStates('Corporations', corporations, /\/api\/corporations\?/),
  state('Corporations, nothing found', open(`${corporations}?search=nobody-has-this-name`)),
  state(
    'Corporations, new',
    open(corporations),
    press('Add corporation'),
    expectOpen(),
    expectText('Resources'),
  ),
  state(
    'Corporations, new, with errors',
    open(corporations),
    press('Add corporation'),
    expectText('Resources'),
    pressInDialog('Register corporation'),
  ),
  state(
    'Corporations, edit',
    open(corporations),
    pressInRow(/^Edit /),
    expectOpen(),
    expectText('Company contact'),
  ),
  state('Corporations, delete', open(corporations), pressInRow(/^Delete /), expectOpen()),
  state('Users of a corporation', ...usersOf('Nordbil')),
  state('Users of a corporation, waiting for approval', ...usersOf('Bilhuset')),
  state('Users of a corporation, decline', ...usersOf('Bilhuset'), press('Decline'), expectOpen()),
  state(
    'Users of a corporation, loading',
    blockRequests(/\/api\/corporations\/[^/]+\/users/),
    openLoading(`${corporations}/00000000-0000-4000-8000-000000000000/users`),
  ),
  state(
    'Users of a corporation, unknown',
    open(`${corporations}/00000000-0000-4000-8000-000000000000/users`),
  ),
  state('Users of a corporation, new', ...usersOf('Nordbil'), press('Add User'), expectOpen()),
  state(
    'Users of a corporation, new, with errors',
    ...usersOf('Nordbil'),
    press('Add User'),
    pressInDialog(/^Add user/),
  ),
  state('Users of a corporation, ban', ...usersOf('Nordbil'), pressInRow(/^Ban /), expectOpen()),
  state(
    'Users of a corporation, deactivate',
    // The only Admin of Nordbil, its first user, can't be deactivated.
    ...usersOf('Kestrel'),
    pressInRow(/^Deactivate /),
    expectOpen(),
  ),
]
