import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Core, core, type Profile } from '~/core'
import { textOf } from '~/language'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { useRenewSession } from '~/lib/session'
import { type FieldLabels, labelOf, useConflict } from '~/records/useConflict'
import { toast } from '~/ui/Toasts'
import { useObjectUrl } from './useObjectUrl'

/** The user's cropped picture, and whether it has been saved. */
type Picture = { blob: Blob; isSaved: boolean }

type Values = ReturnType<typeof inputOf>

const inputOf = ({ first_name, last_name, email, mobile }: Profile) => ({
  first_name,
  last_name,
  email,
  mobile,
  currentPassword: '',
})

/** Returns the state of the profile form, including a new picture, which is saved together with the form. */
export function useEdit(profile: Profile) {
  const [picture, setPicture] = useState<Picture>()
  const [error, setError] = useState<string>()
  const clearError = () => setError(undefined)
  // The profile on which the input is based: as the page was opened, or as it was last saved or in a conflict.
  const [base, setBase] = useState(profile)
  const renewSession = useRenewSession()
  const check = (rules: Core, values: Values) => rules.checkProfile({ ...values, knownEmail: base.email })
  const { form, version, discardDraft, acceptDraft } = useDraftForm<Values>({
    draft: 'profile',
    version: base.version,
    mode: 'onTouched',
    resolver: createResolver(check),
    defaultValues: inputOf(profile),
    onDiscard: clearError,
  })
  const rebaseOn = (present: Profile) => {
    setBase(present)
    acceptDraft(present.version)
  }
  const labels: FieldLabels<Values> = {
    first_name: t`First name`,
    last_name: t`Last name`,
    email: t`Email`,
    mobile: t`Mobile`,
  }
  const conflict = useConflict<Values, Profile>({ form, version, inputOf, labels, onConflict: rebaseOn })
  const src = useObjectUrl(picture?.blob)
  const isNewPicture = picture?.isSaved === false
  const finish = async (saved: Profile) => {
    form.reset(inputOf(saved))
    rebaseOn(saved)
    conflict.end()
    setPicture(picture && { ...picture, isSaved: true })
    toast.success(textOf(core.texts().profile.updated))
    await renewSession()
  }
  const save = form.handleSubmit(async values => {
    clearError()
    try {
      const input = { ...values, version: conflict.version }
      await finish(await core.updateProfile(input, isNewPicture ? picture.blob : undefined))
    } catch (thrown) {
      if (conflict.handle(thrown)) return
      setError(showErrors(form, thrown, t`Something went wrong.`))
    }
  }, clearError)
  return {
    form,
    conflict,
    discardDraft,
    error,
    /** Returns the props that bind an input to a field. */
    field: (name: keyof Values) => ({ control: form.control, name, label: labelOf(labels, name) }),
    // The current password is asked for if core rejects the form without it, as when the e-mail has changed.
    needsPassword: check(core, { ...form.watch(), currentPassword: '' }).some(
      broken => broken.field === 'currentPassword',
    ),
    save,
    /** The URL of the picture to show: the newly cropped one, or else the one of the profile. */
    picture: src ?? profile.profileImage,
    isNewPicture,
    isDirty: form.formState.isDirty || isNewPicture,
    setPicture: (blob: Blob) => setPicture({ blob, isSaved: false }),
    discard() {
      form.reset()
      conflict.end()
      setPicture(undefined)
      clearError()
    },
  }
}

export type Edit = ReturnType<typeof useEdit>
