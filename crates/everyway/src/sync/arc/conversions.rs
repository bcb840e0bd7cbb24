//! What an [`Arc`] can be made of, and how it passes on what its contents can do.

use super::Arc;
use std::borrow::{Borrow, Cow};
use std::cmp;
use std::error::Error;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync;
use std::task::{Wake, Waker};

impl<T: ?Sized> AsRef<T> for Arc<T> {
    fn as_ref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Borrow<T> for Arc<T> {
    fn borrow(&self) -> &T {
        &self.0
    }
}

impl<T: Default> Default for Arc<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl Default for Arc<str> {
    fn default() -> Self {
        Self::from("")
    }
}

impl Default for Arc<CStr> {
    fn default() -> Self {
        Self::from_std(sync::Arc::default())
    }
}

impl<T> Default for Arc<[T]> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: ?Sized> fmt::Pointer for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&*self.0, f)
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Arc<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Arc<T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for Arc<T> {
    fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: ?Sized + Ord> Ord for Arc<T> {
    fn cmp(&self, other: &Self) -> cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: ?Sized + Hash> Hash for Arc<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: ?Sized + Error> Error for Arc<T> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

impl<T: RefUnwindSafe + ?Sized> UnwindSafe for Arc<T> {}

impl<T> From<T> for Arc<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized> From<Box<T>> for Arc<T> {
    fn from(value: Box<T>) -> Self {
        Self::from_std(sync::Arc::from(value))
    }
}

impl<T: ?Sized> From<sync::Arc<T>> for Arc<T> {
    fn from(value: sync::Arc<T>) -> Self {
        Self::from_std(value)
    }
}

/// Each of these is made into what is shared as std does it.
macro_rules! from {
    ($($value:ty => $shared:ty),*) => {
        $(
            impl From<$value> for Arc<$shared> {
                fn from(value: $value) -> Self {
                    Self::from_std(value.into())
                }
            }
        )*
    };
}

from!(&str => str, &mut str => str, String => str, &CStr => CStr, &mut CStr => CStr, CString => CStr);
from!(&OsStr => OsStr, &mut OsStr => OsStr, OsString => OsStr, &Path => Path, &mut Path => Path, PathBuf => Path);

impl<T: Clone> From<&mut [T]> for Arc<[T]> {
    fn from(value: &mut [T]) -> Self {
        Self::from_std(value.into())
    }
}

impl<T, const N: usize> TryFrom<Arc<[T]>> for Arc<[T; N]> {
    type Error = Arc<[T]>;

    fn try_from(value: Arc<[T]>) -> Result<Self, Arc<[T]>> {
        value.into_std_unseen().try_into().map(Self::from_std).map_err(Arc::from_std)
    }
}

impl<T: Clone> From<&[T]> for Arc<[T]> {
    fn from(value: &[T]) -> Self {
        Self::from_std(value.into())
    }
}

impl<T, const N: usize> From<[T; N]> for Arc<[T]> {
    fn from(value: [T; N]) -> Self {
        Self::from_std(sync::Arc::from(value))
    }
}

impl<T> From<Vec<T>> for Arc<[T]> {
    fn from(value: Vec<T>) -> Self {
        Self::from_std(value.into())
    }
}

impl From<Arc<str>> for Arc<[u8]> {
    fn from(value: Arc<str>) -> Self {
        Self::from_std(value.into_std_unseen().into())
    }
}

impl<'a, B: ?Sized + ToOwned> From<Cow<'a, B>> for Arc<B>
where
    Self: From<&'a B> + From<B::Owned>,
{
    fn from(value: Cow<'a, B>) -> Self {
        match value {
            Cow::Borrowed(value) => Self::from(value),
            Cow::Owned(value) => Self::from(value),
        }
    }
}

impl<T> FromIterator<T> for Arc<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from_std(items.into_iter().collect())
    }
}

impl<W: Wake + Send + Sync + 'static> From<Arc<W>> for Waker {
    fn from(arc: Arc<W>) -> Self {
        arc.into_std_unseen().into()
    }
}
