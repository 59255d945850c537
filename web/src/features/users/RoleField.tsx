import { t } from '@lingui/core/macro'
import type { FieldValues } from 'react-hook-form'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import type { FieldProps } from '~/ui/FieldFrame'
import { Notice } from '~/ui/Notice'
import { SelectField } from '~/ui/SelectField'
import type { Roles } from './useRoles'

type Props<T extends FieldValues> = FieldProps<T> & { roles: Roles }

/** The select of a user's role. If there are no roles to choose from, it says why, and links to the roles page. */
export function RoleField<T extends FieldValues>({ roles, ...field }: Props<T>) {
  const { can_create } = usePermissions(paths.roles)
  const isNone = roles.choices.length === 0 && roles.state !== 'loading'
  return (
    <>
      <SelectField
        {...field}
        required
        choices={roles.choices}
        placeholder={roles.state === 'loading' ? t`Loading roles` : t`Choose a role`}
        help={
          roles.state === 'forbidden' && !isNone
            ? t`You don't have access to all roles. These are the roles of the users on this page.`
            : undefined
        }
      />
      {roles.state === 'failed' && (
        <Notice kind="warning" className="sm:col-span-2">
          {roles.message} {!isNone && t`These are the roles of the users on this page.`}
        </Notice>
      )}
      {isNone && roles.state === 'known' && (
        <Notice kind="info" className="sm:col-span-2">
          {t`Your corporation has no roles yet, and every user needs one.`}{' '}
          {can_create ? (
            <Link to={paths.roles} className="text-accent-text underline">
              {t`Create a role first`}
            </Link>
          ) : (
            t`Ask an administrator to create one.`
          )}
        </Notice>
      )}
      {isNone && roles.state === 'forbidden' && (
        <Notice kind="info" className="sm:col-span-2">
          {t`You can't choose a role because you don't have access to roles. Ask an administrator for access.`}
        </Notice>
      )}
    </>
  )
}
